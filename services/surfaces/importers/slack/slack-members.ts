/** The names of a workspace's members. */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';

export const profileName = (profile: unknown): string | undefined =>
  isObject(profile) ? (textOf(profile.display_name) ?? textOf(profile.real_name)) : undefined;

interface Member {
  id: string;
  name: string;
  realName: string | undefined;
}

const memberOf = (user: Json): Member[] => {
  const id = textOf(user.id);
  const profile = isObject(user.profile) ? user.profile : {};
  const realName = textOf(profile.real_name) ?? textOf(user.real_name);
  const name = textOf(profile.display_name) ?? realName ?? textOf(user.name);
  return id !== undefined && name !== undefined ? [{ id, name, realName }] : [];
};

/** Case tells nobody apart: "Sam" and "sam" would be one person. */
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** The members whose name no other one of these has. */
const distinct = <T extends { name: string }>(members: readonly T[]): T[] =>
  [...Map.groupBy(members, ({ name }) => keyOf(name)).values()].flatMap(all => (all.length === 1 ? all : []));

/**
 * Returns user names by id. Members who share a display name are called by their real names, and those who
 * share these too by the name with the id.
 */
export const userNames = (users: unknown[]): Map<string, string> => {
  const members = users.filter(isObject).flatMap(memberOf);
  const names = new Map(distinct(members).map(({ id, name }) => [id, name]));
  const taken = new Set([...names.values()].map(keyOf));
  const shared = members.filter(({ id }) => !names.has(id));
  const real = shared.flatMap(({ realName, ...one }) => (realName ? [{ ...one, name: realName }] : []));
  for (const { id, name } of distinct(real)) if (!taken.has(keyOf(name))) names.set(id, name);
  for (const { id, name, realName } of shared)
    if (!names.has(id)) names.set(id, `${realName ?? name} (${id})`);
  return names;
};
