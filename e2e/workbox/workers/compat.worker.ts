import { beside } from './probes/beside';
import { keeping } from './probes/keeping';
import { making } from './probes/making';
import { sending } from './probes/sending';
import { takeProbes } from './take-probes';

/** In this order: the first one needs a database nobody has used. */
takeProbes({ ...keeping, ...making, ...sending, ...beside });
