/** Runs one way over a file in a process of its own and prints the most memory that process ever held, in bytes. */
import { fileToBoxes, parseOnly } from './boxes-runs.ts';

const [, , way, path = ''] = process.argv;
await (way === 'boxes' ? fileToBoxes(path) : parseOnly(path));
process.stdout.write(String(process.resourceUsage().maxRSS * 1024));
