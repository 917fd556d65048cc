/** Adds a client manually. Field errors are worded as in the import. */
import { clientsApi } from '@portal/contract/clients.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { EMPTY_CLIENT, toClientFacts } from '../../components/practice/client-fields.tsx';
import { ClientFormDialog, useClientForm } from '../../components/practice/client-form-dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

export function AddClientDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const form = useClientForm(`new client ${companyId}`, EMPTY_CLIENT);
  const client = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(clientsApi.create, { company_id: companyId, ...toClientFacts(form.texts) }),
    onSuccess: async () => {
      await Promise.all([clientsApi.list.path, clientsApi.count.path].map((path) => client.invalidateQueries({ queryKey: [path] })));
      toast('success', `${form.texts.name} added`);
      form.deleteDraft();
      onClose();
    },
  });
  return (
    <ClientFormDialog
      heading="Add a client"
      form={form}
      save={{ ...save, mutate: () => save.mutate() }}
      labels={{ save: 'Add client', cancel: 'Cancel', rejected: 'We couldn’t add this client' }}
      onClose={onClose}
    />
  );
}
