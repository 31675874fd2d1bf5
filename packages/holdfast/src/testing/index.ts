export { memoryStore, type MemoryStoreOptions } from '../browser/memory-store';
export { dice, fakeSystem, type FakeSystem, type FakeSystemOptions } from './fake-system';
export { fakeTransport, type FakeAnswer, type FakeServer, type FakeTransport } from './fake-transport';
export { fakeNetwork, type FakeContext, type FakeNetwork } from './fake-network';
export { storeContract, type MakeStore, type StoreCheck } from './store.contract';
export { sampleEntry } from './sample-entry';
export { simulate, type Simulation } from './simulator/simulate';
export { figuresOf, seriesOf, type Figures, type SeriesPoint } from './simulator/figures';
export { rankJitters, type JitterRank } from './simulator/choose';
export { outages } from './simulator/outages';
export {
  exponential,
  fixed,
  impatient,
  jitters,
  outbox,
  outOfTheBox,
  type SimulatedPolicy,
} from './simulator/policies';
export type { Course, Second } from './simulator/course';
export type { Outage, Scenario, ScenarioChanges, ServerCapacity } from './simulator/scenario';
