import { describe, expect, it } from 'vitest';
import { ownWords } from '../../../../../../services/surfaces/importers/mail/own-words.ts';

describe('what a sender wrote', () => {
  it.each<[string, string, string]>([
    [
      'above a quotation',
      'Yes, at noon.\n\nOn Mon, 5 Jan 2026 at 09:30, Ada <ada@example.com> wrote:\n> Lunch?\n> Ada',
      'Yes, at noon.',
    ],
    [
      'above one whose introduction is broken',
      'Yes.\n\nOn Mon, 5 Jan 2026 at 09:30, Ada Lovelace <ada.lovelace@example.com>\nwrote:\n\n> Lunch?',
      'Yes.',
    ],
    ['below it', 'Am 05.01.26 um 09:30 schrieb Ada:\n> Mittag?\n\nJa.', 'Ja.'],
    ['between the lines', '> One?\nYes.\n> Two?\nNo.', 'Yes.\nNo.'],
    ['in Japanese', 'はい\n\n2026年1月5日(月) 9:30 Ada <ada@example.com>:\n\n> 昼?', 'はい'],
    ['in French', 'Oui.\n\nLe 5 janvier 2026 à 09:30, Ada a écrit :\n\n> Midi ?', 'Oui.'],
    ['above a signature', 'See you.\n-- \nAda\nExample Ltd.', 'See you.'],
    [
      "above Outlook's head of the other message",
      'Yes.\n\n________________________________\nFrom: Ada <ada@example.com>\nSent: Monday, January 5, 2026 9:30 AM\nTo: Ben\nSubject: Lunch\n\nLunch?',
      'Yes.',
    ],
    [
      'above that in German',
      'Ja.\n\nVon: Ada\nGesendet: Montag, 5. Januar 2026 09:30\nAn: Ben\nBetreff: Mittag\n\nMittag?',
      'Ja.',
    ],
    ['above an original message', 'Yes.\n\n-----Original Message-----\nFrom: Ada\n\nLunch?', 'Yes.'],
    ['from a phone', 'Yes.\n\nSent from my iPhone', 'Yes.'],
    ['with Windows line ends', 'One\r\nTwo\r\n\r\n\r\n\r\nThree\r\n', 'One\nTwo\n\nThree'],
  ])('%s', (_, text, own) => expect(ownWords(text)).toBe(own));

  it.each([
    'From: the garden, with love.',
    'I wrote:\na poem, and a song.',
    'Three things:\n\nbread, cheese, wine.',
    'The time was 2026:\nnothing follows.',
  ])('stays as it is where it only looks like that: %j', text => expect(ownWords(text)).toBe(text));

  it.each([
    '---------- Forwarded message ---------\nFrom: Ada\nDate: Mon\nSubject: x\n\nWords of Ada.',
    'Begin forwarded message:\n\nFrom: Ada\n\nWords of Ada.',
    '> only\n> quoted',
  ])('is nothing where it passes on: %j', text => expect(ownWords(text)).toBe(''));
});
