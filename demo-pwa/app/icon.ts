import activity from 'lucide-static/icons/activity.svg?raw';
import anchor from 'lucide-static/icons/anchor.svg?raw';
import back from 'lucide-static/icons/arrow-left.svg?raw';
import up from 'lucide-static/icons/arrow-up.svg?raw';
import camera from 'lucide-static/icons/camera.svg?raw';
import checks from 'lucide-static/icons/check-check.svg?raw';
import check from 'lucide-static/icons/check.svg?raw';
import forward from 'lucide-static/icons/chevron-right.svg?raw';
import clock from 'lucide-static/icons/clock.svg?raw';
import offline from 'lucide-static/icons/cloud-off.svg?raw';
import install from 'lucide-static/icons/download.svg?raw';
import photos from 'lucide-static/icons/image-plus.svg?raw';
import tray from 'lucide-static/icons/inbox.svg?raw';
import leave from 'lucide-static/icons/log-out.svg?raw';
import edit from 'lucide-static/icons/pencil.svg?raw';
import add from 'lucide-static/icons/plus.svg?raw';
import device from 'lucide-static/icons/smartphone.svg?raw';
import remove from 'lucide-static/icons/trash-2.svg?raw';
import attention from 'lucide-static/icons/triangle-alert.svg?raw';
import undo from 'lucide-static/icons/undo-2.svg?raw';
import close from 'lucide-static/icons/x.svg?raw';
import zap from 'lucide-static/icons/zap.svg?raw';
import { html, type TemplateResult } from 'lit';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';

const drawings = {
  ...{ activity, add, anchor, attention, back, camera, check, checks, clock, close, device, edit, forward, install },
  ...{ leave, offline, photos, remove, tray, undo, up, zap },
};

/** A drawing from Lucide, for the eye only: the words beside it say the same. */
export function icon(name: keyof typeof drawings): TemplateResult {
  return html`<span class="icon" aria-hidden="true">${unsafeSVG(drawings[name])}</span>`;
}
