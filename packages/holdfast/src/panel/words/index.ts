/** The `holdfast/panel/words` door: languages for apps that would rather bundle one than have it fetched. */
export { arabic } from './arabic';
export { chinese } from './chinese';
export { english } from './english';
export { french } from './french';
export { german } from './german';
export { japanese } from './japanese';
export { spanish } from './spanish';
