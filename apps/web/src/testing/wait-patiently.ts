/** Run before each file of tests: what a screen shows at last is waited for longer than the second that Testing Library gives a busy machine. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 30_000 });
