/** `importScripts('holdfast.sw.classic.js')`: what a worker needs, as the global `holdfast`, for who has no bundler. */
export { defineOutbox } from '../core/define';
export { OutboxError } from '../core/errors';
export { installOutbox } from './index';
