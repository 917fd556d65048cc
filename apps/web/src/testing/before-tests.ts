/** Setup for every test file. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

// Testing Library's default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom has no layout, so nothing ever scrolls into view.
class FakeIntersectionObserver implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '';
  readonly scrollMargin = '';
  readonly thresholds = [];
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
}
globalThis.IntersectionObserver ??= FakeIntersectionObserver;

// Test files share one browser environment and run in any order.
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(cleanup);
