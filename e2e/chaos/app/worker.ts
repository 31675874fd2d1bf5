import { installOutbox } from 'holdfast/sw';
import { followClock, recallClock } from './clock.ts';
import { config } from './config.ts';
import { installShell } from './shell.ts';

followClock();
void recallClock();
installOutbox(config);
installShell();
