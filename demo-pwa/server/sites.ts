import type { Site } from '../wire';

/** The round is fixed: what changes are the records made on it. */
export const sites: readonly Site[] = [
  {
    id: 'north-lock',
    name: 'North lock gate',
    place: 'Basin 1, north side',
    check: 'Gate seals, hinge grease, leak at the sill',
  },
  {
    id: 'pump-house',
    name: 'Pump house 3',
    place: 'Basin 1, east quay',
    check: 'Pressure, vibration, oil under pump B',
  },
  { id: 'crane-seven', name: 'Crane 7', place: 'Grain quay', check: 'Rail clamps, cable drum, emergency stop' },
  { id: 'ferry-ramp', name: 'Ferry ramp', place: 'Outer harbour', check: 'Hinges, anti-slip surface, lights' },
  { id: 'mole-light', name: 'Mole light', place: 'West mole, end', check: 'Lamp, battery bank, ladder' },
  { id: 'fuel-pier', name: 'Fuel pier', place: 'Basin 2, south side', check: 'Hoses, bund, fire post' },
  { id: 'slipway', name: 'Slipway winch', place: 'Boatyard', check: 'Wire, brake, fence' },
  { id: 'tide-gauge', name: 'Tide gauge', place: 'Harbour office', check: 'Reading against the staff, housing' },
];

export function isSite(id: string): boolean {
  return sites.some((site) => site.id === id);
}
