/** Setup of every test file. Testing Library's default timeout of one second is too short on a busy machine. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 30_000 });
