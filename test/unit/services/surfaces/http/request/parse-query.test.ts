import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../../../core/errors.ts';
import { parseQuery } from '../../../../../../services/surfaces/http/request/parse-query.ts';

/** As Node has a target whose bytes are UTF-8. */
const asReceived = (target: string): string => Buffer.from(target).toString('latin1');
const membersOf = (target: string): [string, string][] => [...parseQuery(asReceived(target))];

describe('a query', () => {
  it.each<[string, [string, string][]]>([
    ['/memory', []],
    ['/memory?', []],
    [
      '/memory?a=1&&b=',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    ['/memory?a', [['a', '']]],
    ['/memory?a=b=c', [['a', 'b=c']]],
    [
      '/memory?user_id=ab?c&session_id=s?',
      [
        ['user_id', 'ab?c'],
        ['session_id', 's?'],
      ],
    ],
    ['/memory?a=x+y%2Bz%20!', [['a', 'x y+z !']]],
    [
      '/memory?a=zo%C3%AB&a=zoë',
      [
        ['a', 'zoë'],
        ['a', 'zoë'],
      ],
    ],
    ['/memory?a=%EF%BB%BFx', [['a', '\uFEFFx']]],
    ['/memory?a=%F0%9F%8C%B1', [['a', '🌱']]],
  ])('%s is read as it was sent', (target, members) => {
    expect(membersOf(target)).toEqual(members);
  });

  it.each(['a=%E9', 'a=%ff', 'a=%ED%A0%80', 'a=%zz', 'a=100%', '%C3=1'])('%s is malformed', query => {
    expect(() => parseQuery(`/memory?${query}`)).toThrow(ServiceError);
  });

  it('of bytes that are no UTF-8 is malformed', () => {
    expect(() => parseQuery('/memory?a=zo\u00EB')).toThrow('The query is malformed.');
  });
});
