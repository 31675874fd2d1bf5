import { ours } from './probes/ours';
import { takeProbes } from './take-probes';

takeProbes(ours);
