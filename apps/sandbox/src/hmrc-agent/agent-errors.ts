/** Errors of Agent Authorisation 2.0, as defined in HMRC's API description. */
import { createApiError, type HmrcApiError } from '../hmrc/hmrc-api-error.ts';

const AGENT_ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ACCEPT_HEADER_INVALID: [406, "Missing or invalid 'Accept' header."],
  BAD_REQUEST: [400, 'Missing or unsupported version number'],
  UNAUTHORIZED: [401, 'Bearer token is missing or not authorized.'],
  NOT_AN_AGENT: [
    403,
    'This user does not have a Government Gateway agent account. They need to create an Government Gateway agent account before they can use this service.',
  ],
  AGENT_NOT_SUBSCRIBED: [403, 'This agent needs to create an agent services account before they can use this service.'],
  NO_PERMISSION_ON_AGENCY: [
    403,
    'The user that is signed in cannot access this authorisation request. Their details do not match the agent business that created the authorisation request.',
  ],
  INVALID_PAYLOAD: [400, 'The payload is invalid.'],
  SERVICE_NOT_SUPPORTED: [400, 'The service requested is not supported. Check the API documentation to find which services are supported.'],
  AGENT_TYPE_NOT_SUPPORTED: [
    400,
    'The agent type requested is not supported. Check the API documentation to find which agent types are supported.',
  ],
  CLIENT_TYPE_NOT_SUPPORTED: [
    400,
    'The client type requested is not supported. Check the API documentation to find which client types are supported.',
  ],
  CLIENT_ID_FORMAT_INVALID: [
    400,
    'Client identifier must be in the correct format. Check the API documentation to find the correct format.',
  ],
  CLIENT_ID_DOES_NOT_MATCH_SERVICE: [
    400,
    'The type of client Identifier provided cannot be used with the requested service. Check the API documentation for details of the correct client identifiers to use.',
  ],
  POSTCODE_FORMAT_INVALID: [400, 'Postcode must be in the correct format. Check the API documentation to find the correct format.'],
  VAT_REG_DATE_FORMAT_INVALID: [
    400,
    'VAT registration date must be in the correct format. Check the API documentation to find the correct format.',
  ],
  CLIENT_REGISTRATION_NOT_FOUND: [403, "The details provided for this client do not match HMRC's records."],
  POSTCODE_DOES_NOT_MATCH: [403, "The postcode provided does not match HMRC's record for the client."],
  VAT_REG_DATE_DOES_NOT_MATCH: [403, "The VAT registration date provided does not match HMRC's record for the client."],
  DUPLICATE_AUTHORISATION_REQUEST: [
    403,
    'An authorisation request for this service has already been created and is awaiting the client’s response.',
  ],
  ALREADY_AUTHORISED: [
    403,
    'The client has already authorised the agent for this service. The agent does not need ask the client for this authorisation again.',
  ],
  VAT_CLIENT_INSOLVENT: [403, 'The VAT registration number belongs to a customer that is insolvent.'],
  NO_RELATIONSHIP: [403, 'The specified relationship does not exist.'],
  INVALID_INVITATION_STATUS: [
    403,
    'This authorisation request cannot be cancelled as the client has already responded to the request, or the request has expired.',
  ],
  INVITATION_NOT_FOUND: [404, 'The authorisation request cannot be found.'],
  RELATIONSHIP_NOT_FOUND: [404, 'Relationship is inactive. Agent is not authorised to act for this client.'],
};

export function createAgentError(code: string, headers: Readonly<Record<string, string>> = {}): HmrcApiError {
  const [status, message] = AGENT_ERRORS[code] ?? [500, 'Internal server error'];
  return createApiError(status, code, message, headers);
}
