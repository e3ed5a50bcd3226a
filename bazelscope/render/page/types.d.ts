// What the documents of a page hold (bazelscope/questions/page/packing.py writes them), and what
// the code makes of them.

/** scope, formula, scope of the target */
type Way = [number, number, number];
/** name, value, text, place, section, configs on the way */
type Instance = [string, string | null, string, string | null, string | null, string[]];

interface WordsData {
  words: string[];
  instances: Instance[];
  sets: [number, number][];
  resets: [number, number][];
  drops: number[];
  platform: [string, string][];
  environment: [string, string][];
  otherwise: boolean;
  problem: string;
}
interface BaseData {
  host: string;
  instances: Instance[];
  values: number[];
  platform: [string, string][];
  environment: Record<string, string>;
  words: WordsData[];
  platforms: [string[], [number, number][]][];
  problem: string;
}
interface VariableData {
  unknown?: string;
  what?: string;
  values?: string[];
  texts?: string[];
  flags?: (string | null)[];
  settings?: string[];
  accumulates?: boolean;
  isConstraint?: boolean;
  isClosed?: boolean;
  isLabel?: boolean;
}
interface RepositoryData {
  name: string;
  rule: string;
  place: string | null;
  macro: string;
  urls: string[];
  sha256: string;
  stripPrefix: string;
  patches: string[];
  content: string;
  unknown: string;
  module: string;
}
interface LoadData {
  host: string;
  words: string[];
  environment: Record<string, string>;
  others: string[];
  labels: number[];
  kinds: number[];
  problems: [number, number][];
  counts: number[];
  edges: [number[], number[], number[], number[], number[]];
  refused: [number, number, number][];
  lacking: [number, number, number][];
  starts: [number, number][];
  repositories: RepositoryData[];
}
interface ConfigData {
  name: string;
  lines: [string, string, string, string][];
  pullsIn: string[];
  pulledInBy: string[];
  missing: string[];
}
interface RefusalData {
  message: string;
  target: string | null;
  place: string | null;
  causes: [string, string | null][];
  remedy: string;
}
interface PageData {
  format: number;
  madeBy: string;
  workspace: string;
  command: string;
  bazel: string;
  bazelFrom: string;
  given: string[][];
  against: string[][] | null;
  starts: number[];
  scopes: string[];
  variables: VariableData[];
  nodes: [number[], number[], number[], number[]];
  reasons: Record<string, [number, number, boolean][][]>;
  arrivals: [number, number][];
  loads: LoadData[];
  bases: BaseData[];
  configs: ConfigData[];
  accumulating: string[];
  refusals: RefusalData[];
  errors: string[];
  leftOut: string[];
  ways: Way[][];
  packages: [string, string][];
  labels: [number[], string[]];
  texts: string[];
}
/** place, stack, provenance, attributes */
type Detail = [number, number, number, any[][]?];
interface DetailData {
  texts: string[];
  places: [number, number][];
  terms: number[][];
  stacks: number[][];
  loads: Detail[][];
}

/** The graph of one load: by label, the rows of its edges. */
interface Graph {
  data: LoadData;
  first: Int32Array;
  count: Int32Array;
  kind: Int32Array;
  row: Int32Array;
  to: Int32Array;
  attribute: Int32Array;
  form: Int32Array;
  ways: Int32Array;
  condition: Int32Array;
  problems: Map<number, string>;
  /** by label, whether its details are those of the first load */
  own: Uint8Array;
  refused: [number, number, number][];
  lacking: [number, number, number][];
  selects: Select[] | null;
  number: number;
}
/** A select(): its target, the numbers of its attribute and place, and its branches: each begins with its condition and formula. */
interface Select {
  label: number;
  name: number;
  place: number;
  branches: number[][];
}
/** An element, what in it holds rows, and the rows by what they say. */
interface KeptRows {
  shell: HTMLElement;
  body: HTMLElement;
  elements: Kept;
}
interface Line {
  host: string;
  words: string[];
}
interface Assignment {
  values: Int32Array;
  graph: Graph;
  notes: string[];
  problems: string[];
  isLoaded: boolean;
}
interface Result {
  line: Line;
  assignment: Assignment;
  graph: Graph;
  nodes: Uint8Array;
  /** by label: 0 not needed, 1 perhaps, 2 needed */
  reached: Uint8Array;
  /** by row of an edge: 0 not taken, 1 perhaps, 2 taken */
  taken: Uint8Array;
  count: number;
  perhaps: number;
  refused: number[];
  lacking: number[];
}
interface Changes {
  gained: number[];
  lost: number[];
  /** by label, whether it is gained or lost */
  marks: Uint8Array;
  gainedRepositories: string[];
  lostRepositories: string[];
  /** source, target, attribute, is it gained */
  edges: [number, number, number, boolean][];
  edgeCount: number;
}
interface Group {
  id: string;
  text: string;
  parent: Group | null;
  children: Group[];
  label: number;
  size: number;
  repository: string;
}
interface Box {
  id: string;
  text: string;
  under: string;
  group: Group | null;
  label: number;
  /** made when asked for */
  readonly labels: number[];
  size: number;
  reached: number;
  gained: number;
  lost: number;
  unknown: number;
  isStart: boolean;
  rest: number;
  /** what a box that stands for several holds */
  names?: string;
  repository: string;
  x: number;
  y: number;
  width: number;
  height: number;
}
interface Arrow {
  source: Box;
  target: Box;
  count: number;
  gained: number;
  lost: number;
  perhaps: number;
  /** edges of select()s */
  conditional: number;
  first: number;
  isBack: boolean;
  isHidden: boolean;
  points: [number, number][];
}
/** What the map shows, and how many boxes do not fit. */
interface LaidOut {
  boxes: Box[];
  arrows: Arrow[];
  cut: number;
}
/** A select() with what targets take of it before and after. */
interface BranchChange {
  label: number;
  name: string;
  place: string;
  old: number;
  now: number;
}
interface State {
  view: string;
  line: Line;
  against: Line;
  open: Set<string>;
  pinned: Set<number>;
  hidden: Set<string>;
  only: string;
  selected: string;
  from: string;
  to: string;
  everyArrow: boolean;
  conditions: boolean;
}
interface PathStep {
  source: number;
  row: number;
  target: number;
  graph: Graph;
}
