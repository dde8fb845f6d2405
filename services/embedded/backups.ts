/** Backups of data folders, for commands. */
export { backUp, restore } from '../../infra/embedded/backup.ts';
