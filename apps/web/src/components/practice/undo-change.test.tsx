import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { UndoneText } from './undo-change.tsx';

it.each([
  [{ changed: 1, reverted: 1 }, '1 client restored.', ['change_restored:c-1']],
  [
    { changed: 300, reverted: 298 },
    '298 clients restored. 2 clients left as they are, because of a later change.',
    ['change_restored:c-1', 'change_kept:c-1'],
  ],
  [{ changed: 2, reverted: 0 }, '0 clients restored. 2 clients left as they are, because of a later change.', ['change_kept:c-1']],
])('undoing %o is described as %s', (undone, text, actions) => {
  const { container } = render(
    <MemoryRouter>
      <UndoneText companyId="p-1" changeId="c-1" undone={undone} />
    </MemoryRouter>,
  );
  expect(container.textContent).toBe(text);
  const links = [...container.querySelectorAll('a')].map(({ href }) => new URL(href).searchParams.get('action'));
  expect(links).toEqual(actions);
});
