import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorWords } from '../lib/error-text.ts';
import { ApiError } from '../lib/problem-to-error.ts';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icons.tsx';
import { PageSkeleton } from './skeletons.tsx';

type LoadStateProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** The shape of what comes, so that nothing moves when it comes. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** What a query shows while it loads, when it failed (also offline), and when it has data. Old figures stay visible under the failure of a refresh. */
export function LoadState<Data>({ query, skeleton = <PageSkeleton />, children }: LoadStateProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  // The browser is already on its way to the login page.
  const isLeaving = error instanceof ApiError && error.status === 401;
  if (data === undefined && (error === null || isLeaving)) {
    return (
      <div aria-busy="true">
        <HiddenText role="status">Loading</HiddenText>
        {skeleton}
      </div>
    );
  }
  return (
    <>
      {error !== null && !isLeaving && (
        <FailedLoad error={error} isRetrying={isFetching} isStale={data !== undefined} retry={() => void refetch()} />
      )}
      {data !== undefined && children(data)}
    </>
  );
}

function FailedLoad(props: { error: unknown; isRetrying: boolean; isStale: boolean; retry: () => void }) {
  const words = errorWords(props.error);
  const isOffline = props.error instanceof ApiError && props.error.status === 0;
  const requestId = props.error instanceof ApiError ? props.error.requestId : undefined;
  return (
    <Box
      role="alert"
      sx={{
        display: 'flex',
        gap: 2,
        p: { xs: 2, sm: 3 },
        mb: 3,
        border: 1,
        borderColor: 'error.tone',
        borderRadius: 1,
        bgcolor: 'error.soft',
      }}
    >
      <Icon name={isOffline ? 'offline' : 'errorCircle'} sx={{ color: 'error.tone', mt: 0.25 }} />
      <Box sx={{ minWidth: 0 }}>
        <Typography component="p" variant="h3">
          {words.heading}
        </Typography>
        <Typography sx={{ mt: 0.5 }}>
          {words.text}
          {props.isStale && ' The figures below are the last ones we read.'}
        </Typography>
        {requestId !== undefined && (
          <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary', overflowWrap: 'anywhere' }}>
            If you write to us, quote {requestId}.
          </Typography>
        )}
        {words.canRetry && (
          <Button size="small" variant="outlined" color="error" sx={{ mt: 1.5 }} onClick={props.retry} disabled={props.isRetrying}>
            {props.isRetrying ? 'Trying again ...' : 'Try again'}
          </Button>
        )}
      </Box>
    </Box>
  );
}
