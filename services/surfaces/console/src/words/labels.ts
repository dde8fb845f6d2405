/** What a member of a call is called on the page, by its path in the body. */
export const LABELS: Record<string, string> = {
  q: 'Question',
  'scope.user_id': 'User',
  'scope.session_id': 'Session',
  since: 'Said from',
  until: 'Said until',
  as_of: 'As known at',
  top_k: 'Most hits',
  kinds: 'Kinds',
  name: 'Name',
  user_id: 'User',
  roles: 'Roles',
};
