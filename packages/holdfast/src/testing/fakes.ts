export { dice, fakeSystem, type FakeSystem, type FakeSystemOptions } from './fake-system';
export { fakeTransport, type FakeAnswer, type FakeServer, type FakeTransport } from './fake-transport';
export { fakeNetwork, type FakeContext, type FakeNetwork } from './fake-network';
