/**
 * Everything behind a click: unfolded rows, the dialog, the editor and their acts. It is a module of its own, fetched
 * right after the panel is first drawn, so that a page with a panel nobody opens loads less.
 */
export { acts, answer, editField } from './details-acts';
export { detailsTemplate } from './details-template';
export { dialogTemplate } from './dialog-template';
export { detailStyles } from './details.css';
