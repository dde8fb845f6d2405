/**
 * The script of the documentation's pages (services/surfaces/http/docs). Everything can be read without it;
 * it adds the search, buttons that copy, and tabs.
 */
import { addCopyButtons } from './copy.ts';
import { enableSearch } from './search/keys.ts';
import { makeTabs } from './tabs.ts';

makeTabs();
addCopyButtons();
enableSearch();
