/** Calls of each kind with the installed client, for every runtime that it is to work in. */
import { Turnstone } from '@turnstone/client';

export const kettle = async options => {
  const turnstone = new Turnstone({ ...options, user: 'kettle' });
  await turnstone.remember({ role: 'user', text: 'The kettle is blue.' });
  const { hits } = await turnstone.recall('Which colour has the kettle?', { kinds: ['turn'] });
  for await (const { data } of turnstone.events()) if (data.user_id === 'kettle') break;
  return `${hits.turns[0].text} ${typeof process} ${typeof Buffer}`;
};
