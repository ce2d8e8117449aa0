/**
 * Thrown if the product cannot start, or continue, for a reason outside the program: a setting, a port, a
 * disk, a database. The message is one line for the operator and the only output.
 */
export class StartError extends Error {}
