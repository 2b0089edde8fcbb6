export {
  type Grade,
  type Proof,
  type ToolGrade,
  firstOfEachKind,
  gradeFor,
  gradeOf,
  proofsOf,
} from "./grade.ts";
