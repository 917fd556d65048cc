/** A table in the policy. On a phone, each row becomes a small card with the headings beside the values. */
import type { CSSProperties } from 'react';
import styles from './policy-table.module.css';

type PolicyTableProps = { caption: string; head: readonly string[]; rows: readonly (readonly string[])[] };

export function PolicyTable({ caption, head, rows }: PolicyTableProps) {
  return (
    <table
      className={styles.table}
      // The columns after the first share the remaining width equally, regardless of text length.
      style={{ '--column-width': `${Math.floor(72 / (head.length - 1))}%` } as CSSProperties}
    >
      <caption>{caption}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...cells]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {cells.map((cell, column) => (
              <td key={head[column + 1]} data-label={head[column + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
