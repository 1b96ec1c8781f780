// Where the API tells which properties the contacts of the workspace have.

export const propertiesPath = '/api/v1/contacts/properties'
