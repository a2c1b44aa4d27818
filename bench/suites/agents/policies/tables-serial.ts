import type { Policy } from 'soloist';
import { leadSlices } from './parts/lead-slices.ts';

const lead: Policy = (play) => leadSlices(play, 'context_isolation');

export default lead;
