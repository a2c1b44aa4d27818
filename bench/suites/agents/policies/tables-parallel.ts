import type { Policy } from 'soloist';
import { leadSlices } from './parts/lead-slices.ts';

const lead: Policy = (play) => leadSlices(play, 'parallelism');

export default lead;
