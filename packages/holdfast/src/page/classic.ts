/** `<script src="holdfast.page.classic.js">`: what a page needs, as the global `holdfast`, for who has no bundler. */
export { defineOutbox } from '../core/define';
export { OutboxError } from '../core/errors';
export { openOutbox } from './index';
