import { describe, expect, it } from 'vitest';
import { isEmptyFact, isFiller, withoutFiller } from '../../../../../domain/ranking/timeline/filler.ts';

describe('filler', () => {
  it.each([
    "That's awesome, Melanie!",
    'Wow!',
    'Thanks so much, Caroline!',
    'Nice, thanks for telling me!',
    'ok, thanks for letting me know',
    "You're welcome! Keep up the great work!",
    'Congrats, Jon! So happy for you.',
    'Sounds like a lot of fun.',
    'Hey Mel! How are you?',
    'What did you do?',
    'Good luck! See you soon.',
    'No problem, anytime.',
    'Aw, that is so sweet 😍',
    'Wow, Caroline, sounds like the parade was an awesome experience! Congrats!',
    "I'm so proud of you for spreading awareness and getting others involved.",
    "It's great to see the support for the community.",
    'Have fun exploring different genres of games!',
    "Sorry you're going through that.",
  ])('"%s" is', text => expect(isFiller(text)).toBe(true));

  it.each([
    'A puppy!',
    'I got a puppy! Great, right?',
    "That's awesome, I moved to Rome!",
    'I love Rome.',
    "I'm so proud of my brother, he won.",
    "I'm happy I moved to Rome.",
    'It sounds odd, I sold my car.',
    'Keep the keys, Bob will fetch them.',
    'You are to meet Bob at noon.',
    'Wishing I had a boat.',
    'Thanks, the visa came!',
    'Thanks for reminding me of the visa.',
    'Great news: Melanie won',
    'We have no electricity.',
    'Thanks, but Bob sold it.',
    'Ich bin umgezogen.',
    '我搬家了。',
    '....',
    '',
    'word '.repeat(100),
  ])('"%s" is not', text => expect(isFiller(text)).toBe(false));

  it('knows a fact that says nothing', () => {
    expect(isEmptyFact('Ann said that is so cool.')).toBe(true);
    expect(isEmptyFact('Ann said the shop is closed.')).toBe(false);
  });

  it('leaves out what comes before something said', () => {
    expect(withoutFiller('Thanks, Mel! How are you? I moved. Great!')).toBe('I moved. Great!');
    expect(withoutFiller('Hi! [shared a photo: a cat]')).toBe('[shared a photo: a cat]');
    expect(withoutFiller('Rex! He barks.')).toBe('Rex! He barks.');
    expect(withoutFiller('Wow!')).toBe('Wow!');
  });
});
