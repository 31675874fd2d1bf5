import { OutboxBadge } from './badge';
import { OutboxPanel } from './element';

/** The one side effect of this folder. A second copy of the package on the page leaves the first one's elements alone. */
if (!customElements.get('outbox-panel')) customElements.define('outbox-panel', OutboxPanel);
if (!customElements.get('outbox-badge')) customElements.define('outbox-badge', OutboxBadge);

/** So that TypeScript knows both tags wherever this module is imported. */
export type { OutboxBadge, OutboxPanel };
