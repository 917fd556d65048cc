export const SANDBOX_STRIPE = { secretKey: 'sk_test_sandbox', webhookSecret: 'whsec_sandbox' };

/** A fictional seller for the sandbox's invoices. */
export const SANDBOX_SELLER = { name: 'Tidewater Portal Ltd', address: '1 Harbour Row, Bristol BS1 4ZZ', vatNumber: 'GB553557881' };
