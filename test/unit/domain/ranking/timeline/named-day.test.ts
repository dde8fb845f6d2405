import { expect, it } from 'vitest';
import { namedDay } from '../../../../../domain/ranking/timeline/named-day.ts';

it.each([
  ['Ann left on 7 May 2023.', '2023-05-07'],
  ['Ann left on May 7, 2023.', '2023-05-07'],
  ['Ann left on the 7th May 2023.', '2023-05-07'],
  ['Ann left on 2023-05-07.', '2023-05-07'],
  ['Ann left in the week of 1 May 2023.', '2023-05-01'],
  ['From 3 June 2024 to 1 May 2023.', '2024-06-03'],
  ['On 2024-06-03, not on 1 May 2023.', '2024-06-03'],
  ['Ann left on 31 February 2023.', undefined],
  ['Ann left on 31 February 2023, then 1 May 2023.', undefined],
  ['Ann left in May 2023.', undefined],
  ['Ann left in 2023.', undefined],
  ['Order 12023-05-071', undefined],
  ['On 0000-01-01', undefined],
  ['On 7 May.', undefined],
  ['', undefined],
])('%s', (text, day) => expect(namedDay(text)).toBe(day));
