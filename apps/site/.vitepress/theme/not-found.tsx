import { withBase } from "vitepress";
import { type FunctionalComponent } from "vue";

/** Where somebody goes who followed a wrong link. */
export const NotFound: FunctionalComponent = () => (
  <div class="vp-doc not-found">
    <h1>There is no page at this address</h1>
    <p>
      It may have moved: the search above finds it by its words. Otherwise begin with one of these.
    </p>
    <ul>
      <li>
        <a href={withBase("/docs/")}>All pages</a>
      </li>
      <li>
        <a href={withBase("/docs/#error-codes")}>Error codes</a>
      </li>
      <li>
        <a href={withBase("/docs/getting-started.html")}>Getting started</a>
      </li>
      <li>
        <a href={withBase("/playground/")}>Playground</a>
      </li>
    </ul>
  </div>
);
