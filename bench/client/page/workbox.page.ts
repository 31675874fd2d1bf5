import { play } from './bench';
import { queueTasks } from './queue-tasks';

void play(queueTasks('/workbox.worker.js'));
