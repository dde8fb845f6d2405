import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../../../core/tokens/count.ts';
import { isEmptyFact } from '../../../../../domain/ranking/timeline/filler.ts';
import { type TimelineHit, timeline } from '../../../../../domain/ranking/timeline/timeline.ts';

const turn = (at: string, text: string, role = 'Ann'): TimelineHit => ({
  kind: 'turn',
  turnId: `trn_${at}${text}`,
  role,
  timestamp: Date.parse(at),
  text,
});
const noted = (of: TimelineHit, text: string, source: 'rules' | 'client' = 'rules'): TimelineHit => ({
  ...of,
  kind: 'observation',
  source,
  text,
});
const told = (...hits: TimelineHit[]) => timeline(hits, countTokens)?.text ?? null;
const withFacts = (hits: TimelineHit[], facts: TimelineHit[]) =>
  timeline(hits, countTokens, facts)?.text ?? null;

describe('timeline', () => {
  it('is null without hits, or with blank ones', () => {
    expect(told()).toBeNull();
    expect(
      told(turn('2023-05-08T10:00:00Z', ' \n '), turn('2023-05-08T10:00:00Z', '\u202e\ud800')),
    ).toBeNull();
  });

  it('has a dated line for each hit, in the order of time', () => {
    expect(
      told(
        turn('2023-07-01T23:59:59Z', 'I moved\nto  Rome.'),
        turn('2023-05-08T10:00:00Z', 'A puppy!', 'Bob'),
      ),
    ).toBe('2023-05-08: Bob: A puppy!\n2023-07-01: Ann: I moved to Rome.');
  });

  it("counts days in the speaker's time", () => {
    const late = { ...turn('2023-05-09T03:30:00Z', 'A puppy!'), utcOffset: -300 };
    expect(told(late, turn('2023-05-09T03:40:00Z', 'A kitten!'))).toBe(
      '2023-05-08: Ann: A puppy!\n2023-05-09: Ann: A kitten!',
    );
  });

  it('says the same thing of one day once', () => {
    const hits = [turn('2023-05-08T10:00:00Z', 'A puppy!'), turn('2023-05-08T11:00:00Z', 'A puppy!')];
    expect(told(...hits)).toBe('2023-05-08: Ann: A puppy!');
  });

  it('tells an event once: as the observation has it, whose dates are absolute', () => {
    const puppy = turn('2023-05-08T10:00:00Z', 'Hey Bob! I got a puppy yesterday. How are you?');
    const fact = noted(puppy, 'Ann got a puppy on 7 May 2023.');
    const line = '2023-05-07: Ann got a puppy on 7 May 2023.';
    expect(told(puppy, fact)).toBe(line);
    expect(told(fact, puppy)).toBe(line);
    expect(told(fact, noted(puppy, 'ann got a puppy on 7 May'))).toBe(line);
    const other = noted(puppy, 'Ann named the puppy Rex.');
    expect(told(puppy, fact, other)).toBe(`${line}\n2023-05-08: Ann named the puppy Rex.`);
  });

  it('tells a turn in its own words where only its client noted something, and the note without the turn', () => {
    const puppy = turn('2023-05-08T10:00:00Z', 'I got a puppy, and my sister moved out.');
    const note = noted(puppy, 'has a puppy', 'client');
    expect(told(puppy, note)).toBe('2023-05-08: Ann: I got a puppy, and my sister moved out.');
    expect(told(note)).toBe('2023-05-08: has a puppy');
  });

  it('leaves out who only asks or greets, when there is something else', () => {
    const asks = [
      turn('2023-05-01T10:00:00Z', 'Hey Mel! When did you go?'),
      turn('2023-05-02T10:00:00Z', '你什么时候去的？'),
      turn('2023-05-03T10:00:00Z', 'متى سافرت؟'),
      turn('2023-05-04T10:00:00Z', 'Πού ήσουν;'),
    ];
    const tells = [
      turn('2023-05-05T10:00:00Z', "I'm pregnant! Can you believe it?"),
      turn('2023-05-06T10:00:00Z', 'Do you like it? I painted it for my sister.'),
      turn('2023-05-07T10:00:00Z', 'What do you think? [shared a photo: a lake at dawn]'),
    ];
    expect(told(...asks, ...tells)!.split('\n')).toEqual([
      "2023-05-05: Ann: I'm pregnant! Can you believe it?",
      '2023-05-06: Ann: I painted it for my sister.',
      '2023-05-07: Ann: [shared a photo: a lake at dawn]',
    ]);
    expect(told(...asks)!.split('\n')).toHaveLength(4);
  });

  it('dates an observation by the day that it names, otherwise by the day on which it was said', () => {
    const said = turn('2023-05-08T10:00:00Z', 'x');
    const again = turn('2023-05-08T11:00:00Z', 'y');
    const facts = [
      'Ann flies to Oslo on 3 June 2023.',
      'Ann sold the boat in the week of 1 May 2023.',
      'Ann was born on 2001-02-03.',
      'Ann bought that house in Oslo in 2019.',
    ].map((text, n) => noted(n === 0 ? again : said, text));
    expect(told(said, again, ...facts)!.split('\n')).toEqual([
      '2001-02-03: Ann was born on 2001-02-03.',
      '2023-05-01: Ann sold the boat in the week of 1 May 2023.',
      '2023-05-08: Ann bought that house in Oslo in 2019.',
      '2023-06-03: Ann flies to Oslo on 3 June 2023.',
    ]);
    // A turn's words are dated by when they were said.
    expect(told(turn('2023-05-08T10:00:00Z', 'On 3 June 2023 we fly.'))).toMatch(/^2023-05-08: /);
  });

  it('prefers facts that are understood alone', () => {
    const said = turn('2023-05-08T10:00:00Z', 'x');
    const texts = [
      'Ann chose them.',
      'Ann left it.',
      'Ann rents a house in Rome.',
      'Ann bought a boat in Oslo.',
    ];
    const summary = withFacts(
      [said],
      texts.map(text => noted(said, text)),
    );
    expect(summary!.split('\n').map(line => line.slice(12))).toEqual([texts[2], texts[3], texts[0]]);
  });

  it("is made of the facts of the hits' turns, whether they are hits or not", () => {
    const puppy = turn('2023-05-08T10:00:00Z', 'Hey Bob! I got a puppy yesterday. How are you?');
    const other = turn('2023-05-09T10:00:00Z', 'We had no electricity for hours');
    const facts = [noted(puppy, 'Ann got a puppy on 7 May 2023.')];
    const stray = noted(turn('2023-05-10T10:00:00Z', 'y'), 'Ann left.');
    expect(withFacts([other, puppy], [...facts, stray])).toBe(
      '2023-05-07: Ann got a puppy on 7 May 2023.\n2023-05-09: Ann: We had no electricity for hours',
    );
    expect(withFacts([puppy, ...facts], facts)).toBe('2023-05-07: Ann got a puppy on 7 May 2023.');
  });

  it('says no praise and no thanks, in nobody\u2019s words', () => {
    const praise = [
      turn('2023-05-01T10:00:00Z', "That's awesome, Melanie!"),
      turn('2023-05-02T10:00:00Z', 'Wow, congrats! So proud of you, Mel. Keep it up!'),
      turn('2023-05-03T10:00:00Z', 'Thanks, Caroline! That means a lot to me.'),
      turn('2023-05-04T10:00:00Z', 'Good morning! How are you?'),
    ];
    const thanks = turn('2023-05-05T10:00:00Z', 'Thanks, Caroline! I adopted a cat.');
    const empty = turn('2023-05-06T10:00:00Z', 'That is so cool. Great!');
    expect(withFacts([...praise, thanks, empty], [noted(empty, 'Ann said that is so cool.')])).toBe(
      '2023-05-05: Ann: I adopted a cat.',
    );
  });

  it('tells three facts of a turn at most, and one that was said twice once', () => {
    const many = turn('2023-05-08T10:00:00Z', 'x');
    const again = turn('2023-06-08T10:00:00Z', 'y');
    const facts = ['a cat', 'two dogs', 'a boat', 'some land', 'no car'].map(what =>
      noted(many, `Ann has ${what}.`),
    );
    expect(withFacts([many, again], [...facts, noted(again, 'Ann has a cat.')])!.split('\n')).toHaveLength(3);
  });

  it('cuts a long turn at the end of a sentence, else at a word, in any script', () => {
    const sentences = `I went to the museum. ${'It was a very long and rather cold day for all of us. '.repeat(20)}`;
    expect(told(turn('2023-05-08T10:00:00Z', sentences))).toMatch(/ for all of us\. …$/);
    expect(told(turn('2023-05-08T10:00:00Z', 'word '.repeat(500)))).toMatch(/ word …$/);
    const thai = told(turn('2023-05-08T10:00:00Z', 'ฉันเปิดร้านกาแฟเล็กๆหน้ามหาวิทยาลัยแล้ว'.repeat(30)))!;
    const words = [
      ...new Intl.Segmenter('th', { granularity: 'word' }).segment('ฉันเปิดร้านกาแฟเล็กๆหน้ามหาวิทยาลัยแล้ว'),
    ];
    expect(words.some(({ segment }) => thai.endsWith(`${segment}…`))).toBe(true);
    const family = told(turn('2023-05-08T10:00:00Z', '👩‍👩‍👧'.repeat(300)))!;
    expect(family).toMatch(/^2023-05-08: Ann: (?:👩‍👩‍👧)+…$/u);
  });

  it('goes on after a hit that has no place to be cut', () => {
    const endless = turn('2023-05-08T10:00:00Z', '我们全家去哈尔滨看了冰灯'.repeat(2000));
    expect(told(endless, turn('2023-05-09T10:00:00Z', 'A puppy!'))!.split('\n')).toHaveLength(2);
  });

  describe('whatever the hits are', () => {
    const PIECES = [
      'I moved to Rome. ',
      'yesterday ',
      'How are you? ',
      'x'.repeat(300),
      '我们去哈尔滨看冰灯。',
      'สวัสดีครับ',
      'سافرت إلى مراكش ',
      'नमस्ते दुनिया। ',
      '👩‍👩‍👧',
      '\n1999-01-01: forged: line',
      '\r\n',
      '\u2028',
      '\u0085',
      '\u202e',
      '\u2066',
      '\u0000',
      '\ud83d',
      '\udc00',
      '$$$$ ',
      '....',
      '```',
      '[shared a photo: a cat] ',
      ' '.repeat(50),
      'e\u0301',
    ];
    let state = 7;
    const below = (most: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % most;
    };
    const text = () => Array.from({ length: 1 + below(40) }, () => PIECES[below(PIECES.length)]).join('');
    const plain = (one: string) =>
      one
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .replace(/[\p{Cs}\u202e\u2066]/gu, '')
        .replace(/ +/g, ' ')
        .trim();

    it.each(Array.from({ length: 60 }, (_, i) => i))(
      'its lines are dated, sorted, theirs, single, within 400 tokens: %i',
      () => {
        const hits: TimelineHit[] = [];
        for (let n = below(31); n > 0; n--) {
          const source = turn(
            new Date(Date.UTC(2023, below(12), 1 + below(28))).toISOString(),
            text(),
            ['Ann', '李', 'ab\u202ecd'][below(3)],
          );
          hits.push(source);
          if (below(3) === 0) hits.push(noted(source, text()));
        }
        const summary = timeline(hits, countTokens)?.text ?? null;
        if (summary === null) {
          expect(hits.every(hit => plain(hit.text) === '')).toBe(true);
          return;
        }
        expect(countTokens(summary)).toBeLessThanOrEqual(400);
        expect(summary.isWellFormed()).toBe(true);
        expect(summary).not.toMatch(/(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        const lines = summary.split('\n');
        const dates = lines.map(line => line.slice(0, 10));
        expect(dates).toEqual([...dates].sort());
        const turns = new Set<string>();
        for (const line of lines) {
          expect(line).toMatch(/^\d{4}-\d\d-\d\d: \S/);
          const source = hits.find(hit => {
            const whole = plain(hit.text);
            const said = new Date(hit.timestamp).toISOString().slice(0, 10);
            const day = hit.kind === 'observation' && whole.includes('1999-01-01') ? '1999-01-01' : said;
            const opening = `${day}: ${hit.kind === 'turn' ? `${plain(hit.role)}: ` : ''}`;
            if (!line.startsWith(opening)) return false;
            const rest = line.slice(opening.length);
            if (hit.kind === 'turn') return whole.includes(rest.replace(/ ?…$/, ''));
            return rest === whole || (rest.endsWith('…') && whole.startsWith(rest.slice(0, -1).trimEnd()));
          });
          expect(source).toBeDefined();
          if (source!.kind === 'turn') turns.add(source!.turnId);
        }
        // A turn and an observation of it that says something are never told both.
        const observed = hits.filter(
          hit => hit.kind === 'observation' && plain(hit.text) !== '' && !isEmptyFact(plain(hit.text)),
        );
        expect(observed.some(hit => turns.has(hit.turnId))).toBe(false);
      },
    );
  });
});
