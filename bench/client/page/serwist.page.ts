import { play } from './bench';
import { queueTasks } from './queue-tasks';

void play(queueTasks('/serwist.worker.js'));
