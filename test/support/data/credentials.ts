/** What a target for the specs is given: nothing that is used anywhere else. */
export const secretValues = {
  AdminPassword: "The administrator's 1st password",
  ApiKeys: "the-first-key-of-the-specs,the-second-key-of-the-specs",
  SigningSecrets: "the first signing secret of the specs, the second signing secret of the specs",
};

/** What a client of such a target knows. */
export const credentials = {
  admin: { username: "admin", password: secretValues.AdminPassword },
  apiKey: "the-second-key-of-the-specs",
};
