/** Setup of every test file. */
import { configure } from '@testing-library/react';
import { beforeEach } from 'vitest';

// Testing Library's default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// The files share a browser, and run in any order.
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
