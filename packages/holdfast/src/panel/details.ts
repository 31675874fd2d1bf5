/**
 * Everything behind a click: search, unfolded rows, the dialog, the editor and their acts. It is a module of its own,
 * fetched right after the panel is first drawn, so that a page with a panel nobody opens loads less.
 */
export { announcement } from './announce';
export { acts, answer } from './details-acts';
export { detailsTemplate } from './details-template';
export { detailStyles } from './details.css';
export { dialogTemplate } from './dialog-template';
export { fieldChanged, fieldTyped, submitted } from './fields';
export { fullWords } from './full-words';
export { focusedIn, moveInList, restoreFocus } from './keep-focus';
export { loadMore, reread } from './pages';
export { follow } from './progress';
export { progressTemplate } from './progress-template';
export { allOfTemplate, bulkTemplate, finderTemplate, narrow, noMatch, searchedTemplate } from './tools-template';
