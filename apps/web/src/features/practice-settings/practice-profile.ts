import type { OutputOf } from '@portal/contract/endpoint.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast.tsx';

/** The person in the practice, and the practice. */
export type PracticeProfile = OutputOf<typeof practiceApi.accountantProfile>;

/** What follows a change: the profile is read anew, and the change is told. */
export function useTellSaved(): (what: string) => Promise<void> {
  const queries = useQueryClient();
  const toast = useToast();
  return async (what) => {
    await queries.invalidateQueries({ queryKey: [practiceApi.accountantProfile.path] });
    toast('success', what);
  };
}
