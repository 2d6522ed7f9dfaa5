import { mailPermission } from "../mail-permission.ts";

export const constructs = mailPermission("remind");
