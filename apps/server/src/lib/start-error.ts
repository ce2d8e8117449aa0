/**
 * The product cannot start, or not go on, for a reason outside the program: a setting, a port, a disk, a database.
 * The message is one line for the operator and is all that is printed.
 */
export class StartError extends Error {}
