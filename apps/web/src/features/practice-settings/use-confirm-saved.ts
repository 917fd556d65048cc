import { practiceApi } from '@portal/contract/practice.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useToast } from '../../ui/toast.tsx';

/** Returns a function that refetches the profile after a change and confirms the change with a toast. */
export function useConfirmSaved(): (savedPart: string) => Promise<void> {
  const queryClient = useQueryClient();
  const toast = useToast();
  return async (savedPart) => {
    await queryClient.invalidateQueries({ queryKey: [practiceApi.accountantProfile.path] });
    toast('success', savedPart);
  };
}
