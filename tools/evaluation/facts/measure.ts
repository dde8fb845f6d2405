/**
 * `npm run evaluate:facts -- [open | closed] [--show]`: measures how well the rules find the facts and
 * entities that two readers would keep. Prints only figures; `--show` lists the errors, of the open half
 * alone.
 */
import { measureLabels } from './labels.ts';

measureLabels(process.argv[2] === 'closed' ? 'closed' : 'open', process.argv.includes('--show'));
