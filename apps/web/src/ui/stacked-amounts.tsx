import './plain-lists.css';
import { Fragment } from 'react';

type Stack = {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly value: string; readonly strong?: boolean }[];
};

/** Table rows for narrow screens: the amounts of each row below its name, without horizontal scrolling. */
export function StackedAmounts({ stacks, label }: { stacks: readonly Stack[]; label: string }) {
  return (
    <ul className="p-stacks" aria-label={label}>
      {stacks.map(({ key, title, lines }) => (
        <li key={key}>
          <p>{title}</p>
          <dl>
            {lines.map(({ name, value, strong = false }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd className={strong ? 'is-strong' : undefined}>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
