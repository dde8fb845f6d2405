/** The example of the README, docs/example.jsonl: three conversations between Ada and Ben. */
import { ingest } from '../../api/user-calls.ts';

const GRACE = 'Grace found a flat in Lisbon, she moves there in March.';

export const SAMPLE_USER = 'family';
export const SAMPLE: { session: string; turns: { role: string; text: string; timestamp: string }[] }[] = [
  {
    session: '2026-03',
    turns: [
      { role: 'Ada', text: GRACE, timestamp: '2026-02-20T18:05:00Z' },
      { role: 'Ben', text: 'Is it the one above the bakery?', timestamp: '2026-02-20T18:06:00Z' },
      {
        role: 'Ada',
        text: 'Yes, with the green door. She starts at the observatory on the 9th.',
        timestamp: '2026-02-20T18:07:00Z',
      },
    ],
  },
  {
    session: '2026-04',
    turns: [
      {
        role: 'Ben',
        text: 'I fixed the roof of the shed yesterday, the leak is gone.',
        timestamp: '2026-04-11T09:30:00Z',
      },
      { role: 'Ada', text: 'Good! Then the bicycles can move back in.', timestamp: '2026-04-11T09:31:00Z' },
    ],
  },
  {
    session: '2026-06',
    turns: [
      {
        role: 'Ada',
        text: 'We booked the night train to Lisbon for 3 July.',
        timestamp: '2026-06-02T20:15:00Z',
      },
      {
        role: 'Ben',
        text: 'Grace said that she will show us the telescope.',
        timestamp: '2026-06-02T20:16:00Z',
      },
    ],
  },
];

/** Stores the sample. `user`: whose it is; undefined for the key's own. */
export const storeSample = async (organization: string, user: string | undefined): Promise<void> => {
  for (const { session, turns } of SAMPLE)
    await ingest({
      scope: {
        org_id: organization,
        session_id: session,
        ...(user === undefined ? {} : { user_id: user }),
      },
      turns,
    });
};
