/** Labels on the page, by the member's path in the body. */
export const LABELS: Record<string, string> = {
  q: 'Question',
  'scope.user_id': 'User',
  'scope.session_id': 'Session',
  since: 'Said from',
  until: 'Said until',
  as_of: 'As of',
  top_k: 'Maximum hits',
  kinds: 'Kinds',
  text: 'Sentence',
  value: 'Value',
  valid_from: 'Since',
  name: 'Name',
  title: 'Title',
  user_id: 'User',
  roles: 'Roles',
};
