import { Button } from './button.tsx';
import { Row } from './layout.tsx';
import { Text } from './text.tsx';

type PagerProps = { page: number; pages: number; count: number; noun: string; onPage: (page: number) => void };

/** The number of matches, and buttons to the other pages. */
export function Pager({ page, pages, count, noun, onPage }: PagerProps) {
  return (
    <Row justify="between">
      <Text size="small" tone="quiet" role="status">
        {count.toLocaleString('en-GB')} {noun}
        {pages > 1 && `, page ${page} of ${pages}`}
      </Text>
      {pages > 1 && (
        <Row gap={8}>
          <Button size="small" variant="outlined" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button size="small" variant="outlined" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </Row>
      )}
    </Row>
  );
}
