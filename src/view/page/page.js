import { startViewer } from './viewer.js';

startViewer({ window, document, fetch: (address) => fetch(address) });
